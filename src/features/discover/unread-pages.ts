/** Pages that links may lead to, each handed out once to be read. */
export function unreadPages() {
  const waiting = new Set<string>()
  const handedOut = new Set<string>()
  return {
    add(key: string): void {
      if (!handedOut.has(key)) waiting.add(key)
    },
    /** Whether the caller is to read the page now. */
    handOut(key: string): boolean {
      if (!waiting.delete(key)) return false
      handedOut.add(key)
      return true
    },
  }
}
