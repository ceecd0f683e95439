export default function HomePage() {
  return (
    <main>
      <h1>Tranche</h1>
      <p>
        Token sales on the XRP Ledger: investors send XRP to a project and receive tokens in price tiers. This
        deployment serves the programming interface; pages for investors and operators are not part of this version.
      </p>
      <ul>
        <li>
          <a href="/reference">API reference: every operation, answer and event</a>
        </li>
        <li>
          <a href="/api/openapi.json">The interface as an OpenAPI document</a>
        </li>
        <li>
          <a href="/api/system/status">System status</a>
        </li>
        <li>
          <a href="/api/projects">Projects</a>
        </li>
      </ul>
      <p>
        To try everything on your own machine, run <code>npm ci &amp;&amp; npm run sandbox</code> in a copy of the
        sources; README.md says what you will see.
      </p>
    </main>
  );
}
