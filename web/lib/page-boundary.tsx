import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { useCoreWords } from './language.tsx';

type Props = {
  children: ReactNode;
  /** When this changes (another route), what failed is tried afresh. */
  resetKey?: string;
  /** What stands in place of the failed part; the offer to reload when absent. */
  fallback?: ReactNode;
};

/**
 * Catches what a page throws while it is drawn, a chunk that could not be fetched among it, and offers to reload: a
 * browser may remember a failed module, so drawing it again would not help. A class, since React offers no other way.
 */
export class PageBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.failed) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback ?? <PageFailed />;
  }
}

function PageFailed() {
  const { shell } = useCoreWords();
  return (
    <Card className="mt-4">
      <ErrorState
        title={shell.pageFailed}
        action={<Button onClick={() => location.reload()}>{shell.reload}</Button>}
      >
        {shell.pageFailedNote}
      </ErrorState>
    </Card>
  );
}
