// Preloaded into the peer, which knows tenants by the name of an https host only: requests to that host go to BENCH_ORIGIN on
// loopback, and requests to any other host fail.
const { fetch } = globalThis;
const { BENCH_ORIGIN, BENCH_HOST } = process.env;

globalThis.fetch = (input, init) => {
  const url = new URL(input);
  if (url.host !== BENCH_HOST) throw new Error(`the bench allows requests to ${BENCH_HOST} only, not to ${url.host}`);
  return fetch(`${BENCH_ORIGIN}${url.pathname}${url.search}`, init);
};
