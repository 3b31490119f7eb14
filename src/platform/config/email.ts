// Addresses of mail, compared.

/** In lower case, of ASCII alone: elsewhere other letters have the same small one, such as the Kelvin sign that of K. */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export const isSameEmail = (one: string, other: string): boolean => foldEmail(one) === foldEmail(other);
