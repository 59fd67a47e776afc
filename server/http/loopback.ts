/** Whether a host name, as it stands in an address, can only mean this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isLoopbackAddress(host.replace(/^\[(.*)\]$/, "$1"));
}

/** Whether an IP address, as a socket tells it, is this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}
