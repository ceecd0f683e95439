/** The parts of prom-client that we use, by their paths: its index loads the metrics of the process and its HTTP client too. */
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}
