import type { FieldError } from '#lib/base/errors.ts';

/** Faults of a request's body, each under the path of its field. */
export class Faults {
  readonly errors: FieldError[] = [];

  add(field: string, message: string): void {
    this.errors.push({ field, message });
  }

  has(field: string): boolean {
    return this.errors.some((error) => error.field === field);
  }
}
