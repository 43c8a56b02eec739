import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { useCoreWords } from './language.tsx';
import { reloadIfOnline } from './lazy-page.ts';

type Props = {
  children: ReactNode;
  /** A change, such as another route, resets the boundary. */
  resetKey?: string;
  fallback?: ReactNode;
};

/**
 * Catches render errors, including chunks that could not be fetched: those are fetched again when asked, and a reload is
 * there for whatever else it is. A class, because React has no hook for this.
 */
export class PageBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey === this.props.resetKey) return;
    this.wasRetried = false;
    if (this.state.failed) this.retry();
  }

  wasRetried = false;

  override componentDidCatch() {
    if (this.wasRetried) void reloadIfOnline();
  }

  retry = () => this.setState({ failed: false });

  retryAsked = () => {
    this.wasRetried = true;
    this.retry();
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback ?? <PageFailed onRetry={this.retryAsked} />;
  }
}

function PageFailed({ onRetry }: { onRetry: () => void }) {
  const { shell } = useCoreWords();
  return (
    <Card className="mt-4">
      <ErrorState
        title={shell.pageFailed}
        action={
          <>
            <Button size="medium" onClick={onRetry}>
              {shell.retry}
            </Button>
            <Button look="quiet" size="medium" onClick={() => location.reload()}>
              {shell.reload}
            </Button>
          </>
        }
      >
        {shell.pageFailedNote}
      </ErrorState>
    </Card>
  );
}
