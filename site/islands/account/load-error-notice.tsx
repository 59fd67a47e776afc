import { accountWords } from "#content/account";
import { libraryAdvice } from "#content/library-advice";
import { Button } from "../../components/button";
import { LoadError } from "../../supabase/load-error";

/** Shown in place of a part of the page that could not be loaded. */
export function LoadErrorNotice({ error, retry }: { error: Error; retry: () => void }) {
  const message = (error instanceof LoadError && error.serverMessage) || accountWords.failed;
  return (
    <div className="pile">
      <p role="alert">
        {message}
        {libraryAdvice[message] && `. ${libraryAdvice[message]}`}
      </p>
      <Button variant="quiet" onClick={() => retry()}>
        {accountWords.tryAgain}
      </Button>
    </div>
  );
}
