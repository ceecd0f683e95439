import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NextResponse } from 'next/server';

/** The drawings that guides show. */
const DRAWING = /^[a-z-]+\/[a-z-]+\.svg$/;

export async function GET(_request: Request, { params }: RouteContext<'/docs/images/[...path]'>): Promise<Response> {
  const name = (await params).path.join('/');
  if (!DRAWING.test(name)) return new NextResponse(null, { status: 404 });
  const file = path.join(/*turbopackIgnore: true*/ process.cwd(), /*turbopackIgnore: true*/ `docs/images/${name}`);
  const drawing = await readFile(/*turbopackIgnore: true*/ file, 'utf8').catch(() => null);
  if (drawing === null) return new NextResponse(null, { status: 404 });
  return new NextResponse(drawing, {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' },
  });
}
