import { env } from '#lib/base/env.ts';

/**
 * How the session of a console travels. With https the name begins with `__Host-`: a browser takes such a cookie from this
 * very host only, so no page of a sister domain can lay another one over it. That asks for the path `/`; nothing but its
 * own console reads it.
 */
export function sessionCookie(of: 'operator' | 'owner' = 'operator') {
  const secure = env().BASE_URL.startsWith('https:');
  return {
    name: `${secure ? '__Host-' : ''}${of}-session`,
    attributes: { httpOnly: true, sameSite: 'strict', secure, path: '/' },
  } as const;
}
