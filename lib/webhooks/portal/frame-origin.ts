/**
 * An origin as a page's policy may name it: nothing in it can end the directive, begin another or stand for several hosts.
 * Without TLS only what is on the viewer's own machine.
 */
export const FRAME_ORIGIN =
  /^(?:https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9][0-9]{0,4})?$/;
