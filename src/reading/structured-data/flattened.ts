/** Entries that are put together; a state may hold a whole shop. */
const maxEntries = 200_000
const maxDepth = 40

/** Written before a value to say what it was in the program. */
const wrappers = new Set(['Reactive', 'ShallowReactive', 'Ref', 'ShallowRef', 'EmptyRef', 'EmptyShallowRef'])

/**
 * A state that was written as one flat list, whose objects and lists name their values by their places in it, as it was before;
 * anything else as it is. What is used at several places is shared, and what holds itself is left out there.
 */
export function unflattened(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < 2 || !isRoot(value[0], value.length)) return value
  const list: unknown[] = value
  const known = new Map<number, unknown>()
  let room = maxEntries

  function at(place: unknown, depth: number): unknown {
    if (typeof place !== 'number' || !Number.isInteger(place)) return undefined
    if (place < 0 || place >= list.length || depth > maxDepth || room <= 0) return undefined
    if (known.has(place)) return known.get(place)
    // Until it is known: one that holds itself finds nothing.
    known.set(place, undefined)
    const entry = list[place]
    const made = typeof entry === 'object' && entry !== null ? put(entry, depth) : entry
    known.set(place, made)
    return made
  }

  function put(entry: object, depth: number): unknown {
    if (!Array.isArray(entry)) {
      const fields = Object.entries(entry).slice(0, Math.max(0, room))
      room -= fields.length
      return Object.fromEntries(
        fields.filter(([name]) => name !== '__proto__').map(([name, place]) => [name, at(place, depth + 1)]),
      )
    }
    const [kind] = entry
    if (typeof kind === 'string') return wrappers.has(kind) ? at(entry[1], depth + 1) : entry[1]
    const places = entry.slice(0, Math.max(0, room))
    room -= places.length
    return places.map((place) => at(place, depth + 1))
  }

  return at(0, 0)
}

/** The first entry is the whole: the data of the page by their places in the list, perhaps wrapped. */
function isRoot(first: unknown, length: number): boolean {
  if (typeof first !== 'object' || first === null) return false
  if (Array.isArray(first)) return wrappers.has(String(first[0])) && typeof first[1] === 'number'
  // A list of ordinary objects that hold numbers would look the same but for the name.
  const isPlace = (place: unknown) => Number.isInteger(place) && Number(place) < length
  return Object.hasOwn(first, 'data') && Object.values(first).every(isPlace)
}
