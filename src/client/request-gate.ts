import type { Exchange } from './exchange.ts';

/** Lets requests through, so many at once and the others in the order in which they came. */
export interface RequestGate {
  pass(send: () => Promise<Exchange>): Promise<Exchange>;
}

/**
 * At most `most` at once. A 429 says that this was too many: it halves the bound, and as many answers without one as the bound
 * allows at once raise it by one again. So a small quota is found out in a few refusals, and many requests that wait for it do
 * not push each other out of their last try.
 */
export function requestGate(most: number): RequestGate {
  const waiting: (() => void)[] = [];
  let bound = most;
  let underway = 0;
  let inARow = 0;

  const letIn = () => {
    while (underway < bound && waiting.length > 0) {
      underway += 1;
      waiting.shift()?.();
    }
  };
  const learn = (exchange: Exchange) => {
    if (exchange.answered && exchange.answer.status === 429) {
      bound = Math.max(1, Math.floor(bound / 2));
      inARow = 0;
    } else if (++inARow >= bound && bound < most) {
      bound += 1;
      inARow = 0;
    }
  };
  return {
    async pass(send) {
      await new Promise<void>((enter) => {
        waiting.push(enter);
        letIn();
      });
      try {
        const exchange = await send();
        learn(exchange);
        return exchange;
      } finally {
        underway -= 1;
        letIn();
      }
    },
  };
}
