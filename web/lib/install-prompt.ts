import { createSignal } from '#web/ui/signal.ts';

/** Chromium's event that the app can be installed (not in TypeScript's library). */
type InstallEvent = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> };

let held: InstallEvent | undefined;
export const installChanged = createSignal<void>();

function hold(event?: InstallEvent) {
  held = event;
  installChanged.tell();
}

/** Keeps the browser from asking at once: the app asks once, after a sign-in, and in its menu. */
export function holdInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    hold(event as InstallEvent);
  });
  addEventListener('appinstalled', () => hold());
}

export const canInstall = (): boolean => held !== undefined;

/** The browser asks. Its event serves once. */
export function install(): void {
  void held?.prompt();
  hold();
}
