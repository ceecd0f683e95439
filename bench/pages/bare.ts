import path from 'node:path';
import { copyProduct } from '../copy.ts';

const NAME = 'bench-pages';
export const COPY = path.resolve(import.meta.dirname, '../../.sandbox', NAME);

/** Address of the page that everything is compared with. */
export const BARE_PATH = '/bare';

/** The least that a page can be, under the layout that every page of the build has. */
const BARE_PAGE = `export default function BarePage() {
  return <p>A page</p>;
}
`;

/** Copies the product, with the bare page beside its own; the copy's sandbox builds it. */
export const copyWithBarePage = () => copyProduct(NAME, { file: `app${BARE_PATH}/page.tsx`, source: BARE_PAGE });
