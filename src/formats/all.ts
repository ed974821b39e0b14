export {
  deterministicJson,
  highlights,
  json,
  menu,
  query,
  question,
  summary,
  video,
} from './absent.ts'
export { attributes } from './attributes.ts'
export { audio } from './audio.ts'
export { branding } from './branding.ts'
export { changeTracking } from './change-tracking.ts'
export { html } from './html.ts'
export { images } from './images.ts'
export { links } from './links.ts'
export { markdown } from './markdown.ts'
export { product } from './product.ts'
export { rawBase64 } from './raw-base64.ts'
export { rawHtml } from './raw-html.ts'
export { screenshot } from './screenshot.ts'
