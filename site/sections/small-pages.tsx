import type { ReactNode } from "react";
import { contactMessages, pageMessages } from "#content/messages";
import { home } from "#content/navigation";
import { smallPages } from "#content/page-titles";
import { Button } from "../components/button";
import { BrokenStem, LostPath, SentLeaf } from "../drawings/small-drawings";
import { NextSteps } from "./next-steps";
import styles from "./small-pages.module.css";

export function NotFound() {
  return (
    <SmallPage title={pageMessages.notFound} drawing={<LostPath />}>
      <p>{smallPages.notFound.text}</p>
      <Button href={home.href}>{home.label}</Button>
    </SmallPage>
  );
}

/** The server writes the status text into `data-error-message` (docs/specification.md#error-screen). */
export function ErrorMessage() {
  return (
    <SmallPage title={pageMessages.unexpected} drawing={<BrokenStem />}>
      <p data-error-message />
      <p>{smallPages.unexpected.text}</p>
      <Button href={home.href}>{home.label}</Button>
    </SmallPage>
  );
}

export function Thanks() {
  return (
    <SmallPage title={contactMessages.sent} drawing={<SentLeaf />}>
      <p>{smallPages.thanks.text}</p>
      <NextSteps />
      <Button href={home.href}>{home.label}</Button>
    </SmallPage>
  );
}

interface SmallPageProps {
  title: string;
  drawing?: ReactNode;
  children: ReactNode;
}

/** A page with a title, a short text and in most cases a drawing. */
function SmallPage({ title, drawing, children }: SmallPageProps) {
  return (
    <section className={styles.page}>
      {drawing}
      <div className={styles.text}>
        <h1>{title}</h1>
        {children}
      </div>
    </section>
  );
}
