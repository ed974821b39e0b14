import { parseForeignJson } from '../../base/parse-json.ts'
export interface DeclaredMedia {
  address: string
  mediaType: string
  isFilm: boolean
}

/** The recordings that a page declares in JSON-LD: of itself, or as the media of an episode. */
export function linkedDataMedia(text: string): DeclaredMedia[] {
  const found: DeclaredMedia[] = []
  const open: FoundValue[] = [{ value: readJson(text), isEpisodePart: false }]
  for (let seen = 0; seen < mostValues; seen += 1) {
    const place = open.pop()
    if (!place) break
    const media = mediaOf(place)
    if (media) found.push(media)
    // Taken from the end of the list: pushed last to first, they are met in the order of the text.
    open.push(...placesIn(place).reverse())
  }
  return found
}

const mostValues = 20_000

interface FoundValue {
  value: unknown
  isEpisodePart: boolean
}

function readJson(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function placesIn({ value, isEpisodePart }: FoundValue): FoundValue[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return value.slice(0, mostValues).map((inner) => ({ value: inner, isEpisodePart }))
  const isEpisode = typesOf(value).some((type) => type.endsWith('Episode'))
  return Object.entries(value)
    .slice(0, mostValues)
    .map(([name, inner]) => ({
      value: inner,
      isEpisodePart: isEpisode && /^(?:associatedMedia|audio|encoding)$/.test(name),
    }))
}

function typesOf(value: object): string[] {
  const type = '@type' in value ? value['@type'] : undefined
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one) => typeof one === 'string')
}

function mediaOf({ value, isEpisodePart }: FoundValue): DeclaredMedia | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('contentUrl' in value) || typeof value.contentUrl !== 'string') return undefined
  const format = 'encodingFormat' in value ? value.encodingFormat : undefined
  const mediaType = typeof format === 'string' && format.includes('/') ? format.toLowerCase() : ''
  const types = typesOf(value)
  const isFilm = types.includes('VideoObject') || mediaType.startsWith('video/')
  const isRecording = types.includes('AudioObject') || mediaType.startsWith('audio/') || isEpisodePart
  return isFilm || isRecording ? { address: value.contentUrl, mediaType, isFilm } : undefined
}
