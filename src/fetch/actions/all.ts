export { pdf, scrape, screenshot } from './capture.ts'
export { executeJavascript } from './execute-javascript.ts'
export { click, press, scroll, wait, write } from './input.ts'
