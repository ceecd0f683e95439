import SiteLayout from './(site)/layout.tsx';
import NotFoundPage from './(site)/not-found.tsx';

/** An address that no route has; within the site, its own page says the same. */
export default function NotFound() {
  return (
    <SiteLayout>
      <NotFoundPage />
    </SiteLayout>
  );
}
