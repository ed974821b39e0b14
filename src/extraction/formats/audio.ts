import { z } from 'zod'
import { isMedia } from '../page-parts/media.ts'
import { defineFormat } from './format.ts'

export const audio = defineFormat({
  name: 'audio',
  description: 'Audio of the page as MP3.',
  readsFrom: 'network',
  surcharge: 4,
  options: {},
  output: { audio: z.string().describe('URL of the MP3; it expires after one hour.') },
  takesFile: isMedia,
  reads: () => ({ media: true }),
  async render(_, __, { audio, storeFile }) {
    const audioFile = await audio()
    if ('reason' in audioFile) return { unavailable: `audio: ${audioFile.reason}` }
    return { audio: await storeFile(audioFile, 1) }
  },
})
