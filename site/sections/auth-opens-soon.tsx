import { home, workWithUs } from "#content/navigation";
import { smallPages } from "#content/pages";
import { Button } from "../components/button";
import { ClosedGate } from "../drawings/closed-gate";
import { SmallPage } from "./small-page";

export function AuthOpensSoon() {
  return (
    <SmallPage title={smallPages.auth.title} drawing={<ClosedGate />}>
      <p>{smallPages.auth.text}</p>
      <Button href={workWithUs.href}>{workWithUs.label}</Button>
      <a href={home.href}>{home.label}</a>
    </SmallPage>
  );
}
