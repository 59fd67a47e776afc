import type { ReactNode } from "react";
import { contactMessages, pageMessages } from "#content/messages";
import { home } from "#content/navigation";
import { messagePages } from "#content/page-titles";
import { Button } from "../components/button";
import { BrokenStem, LostPath, SentLeaf } from "../drawings/small-drawings";
import styles from "./message-pages.module.css";
import { NextSteps } from "./next-steps";

export function NotFound() {
  return (
    <MessagePage title={pageMessages.notFound} drawing={<LostPath />}>
      <p className="lead">{messagePages.notFound.text}</p>
      <Button href={home.href}>{home.label}</Button>
    </MessagePage>
  );
}

/** The server writes the status text into `data-error-message` (docs/specification.md#error-screen). */
export function ErrorMessage() {
  return (
    <MessagePage title={pageMessages.unexpected} drawing={<BrokenStem />}>
      <p className="lead strong" data-error-message />
      <p className="lead">{messagePages.unexpected.text}</p>
      <Button href={home.href}>{home.label}</Button>
    </MessagePage>
  );
}

export function Thanks() {
  return (
    <MessagePage title={contactMessages.sent} drawing={<SentLeaf />}>
      <p className="lead">{messagePages.thanks.text}</p>
      <NextSteps />
      <Button href={home.href}>{home.label}</Button>
    </MessagePage>
  );
}

interface MessagePageProps {
  title: string;
  drawing: ReactNode;
  children: ReactNode;
}

/** A page with a title, a short text and a drawing. */
function MessagePage({ title, drawing, children }: MessagePageProps) {
  return (
    <section className={styles.page}>
      {drawing}
      <div className={`pile ${styles.text}`}>
        <h1>{title}</h1>
        {children}
      </div>
    </section>
  );
}
