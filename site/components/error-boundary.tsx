import { Component, type ReactNode } from "react";
import { pageMessages } from "#content/messages";
import styles from "./error-boundary.module.css";

/** Shows the generic error screen in place of an island that failed (docs/specification.md#error-screen). */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className={`pile ${styles.screen}`} role="alert">
        <h2>{pageMessages.unexpected}</h2>
        <p data-error-message>{error instanceof Error ? error.message : String(error)}</p>
      </div>
    );
  }
}
