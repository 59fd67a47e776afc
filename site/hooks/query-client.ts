import { onlineManager, QueryClient } from "@tanstack/react-query";

/**
 * A request fails while the device is offline, instead of waiting, and none is repeated: the client library already
 * repeats requests, and each page has a button to try again.
 */
export function createQueryClient(): QueryClient {
  // The library takes the device for online until an event tells otherwise.
  if (typeof window !== "undefined") onlineManager.setOnline(navigator.onLine);
  const networkMode = "always";
  return new QueryClient({ defaultOptions: { queries: { retry: false, networkMode }, mutations: { networkMode } } });
}
