/**
 * A text of a library as callers may see it: without addresses and paths of this machine and its network. Texts of our own
 * never have any, so this is for those that are handed on because they say what was wrong with what the caller sent.
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

/** Two colons alone are more often a time of day. */
function isTime(text: string): boolean {
  return /^\d{1,2}:\d{2}:\d{2}$/.test(text)
}
