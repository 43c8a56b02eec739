import { Component, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { useCoreWords } from './language.tsx';

type Props = {
  children: ReactNode;
  /** A change, such as another route, resets the boundary. */
  resetKey?: string;
  fallback?: ReactNode;
};

/**
 * Catches render errors, including chunks that could not be fetched, and offers to reload: browsers may cache a failed
 * module, so rendering again would not help. A class, because React has no hook for this.
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
