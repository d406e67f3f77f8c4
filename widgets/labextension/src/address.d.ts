// The scripts of live pages: what writes and reads such addresses.
declare module "*/static/address.js" {
  export function fragment(text: string): string;
  export function named(hash: string): string | null;
}

// And their worker.
declare module "*/static/kernel.js" {
  interface Shared {
    get(name: string): unknown;
    set(name: string, value: unknown): void;
    save_changes(): void;
  }
  export class Kernel {
    constructor(told?: (stage: string, why?: string) => void);
    start(): void;
    stop(): void;
    model(of: { number: number; traits: Record<string, unknown> }): Shared;
  }
}
