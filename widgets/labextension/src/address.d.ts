// The live pages' own script, which writes and reads such addresses.
declare module "*/static/address.js" {
  export function fragment(text: string): string;
  export function named(hash: string): string | null;
}
