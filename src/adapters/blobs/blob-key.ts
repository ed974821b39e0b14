/**
 * Returns the key, or throws if it could leave its folder or prefix. Keys consist of ids of the service, so another key is a bug
 * or a changed row of the database.
 */
export function checkedKey(key: string): string {
  if (key.length <= maxLength && pattern.test(key)) return key
  throw new Error('The key of a blob is not one that the service makes.')
}

const maxLength = 300
/** Names separated by slashes; none starts with a dot. */
const pattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
