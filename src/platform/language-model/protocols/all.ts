export { anthropic } from './anthropic.ts'
export { google } from './google.ts'
export { openai } from './openai.ts'
