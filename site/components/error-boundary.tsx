import { Component, type ReactNode } from "react";
import { ErrorScreen } from "./error-screen";

/** Shows the generic error screen of specification section 2 in place of an island that failed. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorScreen message={error instanceof Error ? error.message : String(error)} />;
  }
}
