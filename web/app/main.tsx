import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { holdInstallPrompt } from '#web/lib/install-prompt.ts';
import { startSession } from '#web/lib/session.tsx';
import './altered-page.ts';
import { popped } from '#web/ui/popped.ts';
import { App } from './app.tsx';
import { loadFirstPage } from './pages.ts';
import './styles.css';

/** A slow phone needs most of this to load the scripts; until then it shows what the server drew. */
const skeletonAfterMs = 1_000;

// The fonts are not preloaded: on a slow network the scripts would come an eighth of a second later.
// `#first-sight` uses a system font.
document.fonts.load('1em "Hiram Heading"', '₱0').catch(() => undefined);

holdInstallPrompt();
addEventListener('popstate', () => popped.before());
// Left with something open, by a reload for one: that is closed now.
if (history.state) void import('#web/ui/history-steps.ts').then(({ watchHistory }) => watchHistory());

const root = document.getElementById('root');
if (!root) throw new Error('no #root');

// The page of a stored session is drawn once, with what it reads first: on a slow phone each drawing takes 200 ms.
const atLatest = new Promise((resolve) => setTimeout(resolve, skeletonAfterMs));
void Promise.race([loadFirstPage(startSession()), atLatest]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
