import { pageMessages } from "#content/messages";
import { home } from "#content/navigation";
import { smallPages } from "#content/pages";
import { Button } from "../components/button";
import { BrokenStem } from "../drawings/broken-stem";
import { SmallPage } from "./small-page";

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
