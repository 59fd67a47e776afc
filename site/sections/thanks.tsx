import { contactMessages } from "#content/messages";
import { home } from "#content/navigation";
import { smallPages } from "#content/pages";
import { Button } from "../components/button";
import { SentLeaf } from "../drawings/sent-leaf";
import { NextSteps } from "./next-steps";
import { SmallPage } from "./small-page";

export function Thanks() {
  return (
    <SmallPage title={contactMessages.sent} drawing={<SentLeaf />}>
      <p>{smallPages.thanks.text}</p>
      <NextSteps />
      <Button href={home.href}>{home.label}</Button>
    </SmallPage>
  );
}
