/**
 * A message of a library, made safe for callers: without addresses and paths of this machine and its network. Our own messages
 * never contain any. This is for library messages that are passed on because they explain what was wrong with the request.
 */
export function withoutPlaces(text: string): string {
  return text
    .replace(/\bfile:\/\/\S*/gi, '[path]')
    .replace(/(?<![\w:/.])(?:\/[\w.@+~-]+){2,}\/?/g, '[path]')
    .replace(
      /\[?(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4})\]?(?::\d+)?(?!\w)/gi,
      (found) => (isTime(found) ? found : '[address]'),
    )
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    .replace(/\blocalhost(?::\d+)?\b/gi, '[address]')
}

/** Only two colons are usually a time of day. */
function isTime(text: string): boolean {
  return /^\d{1,2}:\d{2}:\d{2}$/.test(text)
}
