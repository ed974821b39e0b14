/** Titles of one page → their anchors, as code hosts make them; a title that comes again gets a number. */
export function anchors(): (title: string) => string {
  const taken = new Map<string, number>()
  return (title) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const times = taken.get(anchor) ?? 0
    taken.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}
