/** Where the app keeps the token of who is signed in; written out, because its module would bring the app along. */
const tokenKey = 'token';

function isSignedIn(): boolean {
  try {
    return localStorage.getItem(tokenKey) !== null;
  } catch {
    return false;
  }
}

/** Offers who is signed in their account in place of registering and signing in. */
export function offerOwnAccount(): void {
  if (isSignedIn()) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-account]')) {
      link.href = link.dataset.account ?? link.href;
      link.textContent = link.dataset.accountText ?? link.textContent;
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-visitors]')) element.hidden = true;
  }
  const shownTo = isSignedIn();
  // A page that comes back as it was left may have been left by somebody else.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isSignedIn() !== shownTo) location.reload();
  });
}
