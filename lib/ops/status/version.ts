import { env } from '#lib/base/env.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** The release that this code is: `0.1.0`. */
export const RELEASE: string = packageJson.version;

/** The release, and the commit where the deployment knows it: `0.1.0+27db558`. */
export function platformVersion(): string {
  const commit = env().VERCEL_GIT_COMMIT_SHA;
  return commit === undefined ? RELEASE : `${RELEASE}+${commit.slice(0, 7)}`;
}
