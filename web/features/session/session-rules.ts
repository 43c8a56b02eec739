// Fetched beside the screen and not before it: it shows itself without them, and nobody types that fast.
export { Registration, SignIn } from '#contract/account.ts';
