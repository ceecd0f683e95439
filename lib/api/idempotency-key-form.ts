/** 1 to 255 characters of visible ASCII. */
export const KEY_FORM = /^[\x21-\x7e]{1,255}$/;
