// A display as a notebook's file holds it (polynb/show/trace/saved.py): a line of text that says
// what it is, and compressed JSON.

export interface Saved {
  trace: unknown;
  /** HTML to be shown below the stepper; it comes from a file, so it is sanitised first. */
  below: string;
  /** What the stepper begins with. */
  traits: { step?: number; predict?: boolean; hidden?: string[] };
  /** Those that are shown below it, where they were on tabs. */
  more: Saved[];
}

const MOST = 20_000_000; // bytes, unpacked: files that come from anywhere may be made to fill memory

/** Throws an Error that says what is wrong. */
export async function unpacked(saved: unknown): Promise<Saved> {
  const found = /^polynb-trace (\d+) [0-9a-f]+ ([A-Za-z0-9+/=]+)$/.exec(typeof saved === "string" ? saved : "");
  if (!found) throw new Error("There is no polynb trace here to be shown.");
  const bytes = Uint8Array.from(atob(found[2]!), (c) => c.charCodeAt(0));
  return checked(JSON.parse(await inflated(bytes)));
}

function checked(read: unknown): Saved {
  const { trace, below, traits, more } = (read ?? {}) as Partial<Saved>;
  return {
    trace, below: typeof below === "string" ? below : "", traits: traits ?? {},
    more: Array.isArray(more) ? more.map(checked) : [],
  };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value!.byteLength;
    if (size > MOST) throw new Error("This trace is too large to be shown.");
    parts.push(decoder.decode(value, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
