export const dynamic = 'force-static';

const STYLE = `
:root { color-scheme: light dark; --text: #15181c; --soft: #575c64; --line: #e5e3dd; --back: #fbfaf8; --accent: #0a6b5b; --field: #f3f2ee; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eef1f3; --soft: #a3adb6; --line: #262c31; --back: #0d1012; --accent: #52d3b6; --field: #14181b; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 6rem; max-width: 60rem; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; margin: 0; list-style: none; border-block: 1px solid var(--line); }
h2 { margin: 3rem 0 .25rem; }
h4 { margin: 1rem 0 .25rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { padding: .75rem; overflow: auto; max-height: 30rem; background: var(--field); border-radius: .25rem; }
.operation { border-top: 1px solid var(--line); padding: .5rem 0; }
.operation > summary { cursor: pointer; padding: .25rem 0; }
.operation[open] { padding-bottom: 1.5rem; }
:target { outline: 2px solid var(--accent); outline-offset: .25rem; }
.summary, .type, .facts, small, .or { color: var(--soft); }
.method { display: inline-block; min-width: 4.5em; font-weight: 600; font-size: .8rem; }
.fields { margin: .25rem 0; padding-left: 1rem; list-style: none; border-left: 2px solid var(--line); }
.fields li { padding: .1rem 0; }
.name { font-weight: 600; }
dt { margin-top: .5rem; }
dd { margin-left: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid var(--line); }
`;

/** Of the reference page: a file of its own, so that its policy needs no exception. */
export const GET = (): Response => new Response(STYLE, { headers: { 'content-type': 'text/css; charset=utf-8' } });
