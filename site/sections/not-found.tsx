import { pageMessages } from "#content/messages";
import { home } from "#content/navigation";
import { smallPages } from "#content/pages";
import { Button } from "../components/button";
import { LostPath } from "../drawings/lost-path";
import { SmallPage } from "./small-page";

export function NotFound() {
  return (
    <SmallPage title={pageMessages.notFound} drawing={<LostPath />}>
      <p>{smallPages.notFound.text}</p>
      <Button href={home.href}>{home.label}</Button>
    </SmallPage>
  );
}
