import { ForgeError } from './forge.ts';

export interface Upsert<Found> {
  find(): Promise<Found | undefined>;
  update(found: Found): Promise<void>;
  create(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

const mostTries = 3;
const delayMs = 1000;

/** Updates what is there, or creates it once: before another try, what a lost response may have created is looked for. */
export async function upsert<Found>({ find, update, create, sleep }: Upsert<Found>): Promise<'updated' | 'created'> {
  for (let tried = 1; ; tried++) {
    const found = await find();
    if (found !== undefined) {
      await update(found);
      return 'updated';
    }
    try {
      await create();
      return 'created';
    } catch (error) {
      if (!(error instanceof ForgeError && error.isUnsure) || tried === mostTries) throw error;
      await sleep(delayMs * tried);
    }
  }
}
