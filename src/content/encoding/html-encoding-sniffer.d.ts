declare module 'html-encoding-sniffer' {
  /** The name of an encoding as the Encoding Standard writes it, or `defaultEncoding`. */
  function sniff(
    bytes: Uint8Array,
    options: { defaultEncoding: null; maxPrescanBytes: number },
  ): string | null
  export = sniff
}
