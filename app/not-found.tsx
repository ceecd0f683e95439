export default function NotFoundPage() {
  return (
    <main>
      <h1>Not found</h1>
      <p>
        There is no such page. <a href="/">Back to the start</a>
      </p>
    </main>
  );
}
