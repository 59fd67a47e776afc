// The upper limit: compares passwords with Argon2id on all processors for some seconds, and prints how many per second.
// Arguments: the stored hash, the password, the seconds.
import { availableParallelism } from "node:os";
import { verify } from "@node-rs/argon2";

const [hash = "", password = "", seconds = ""] = process.argv.slice(2);
await verify(hash, password);
const began = performance.now();
const deadline = began + Number(seconds) * 1000;
let compared = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    while (performance.now() < deadline) {
      if (!(await verify(hash, password))) throw new Error("The password does not match.");
      compared += 1;
    }
  }),
);
console.log(compared / ((performance.now() - began) / 1000));
