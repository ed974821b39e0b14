/** Scripts with which a page allocates memory without end, in its own process or in shared browser processes. */
export const memoryVectors: Record<string, string> = {
  'typed arrays': `const a = []; setInterval(() => a.push(new Uint8Array(64e6).fill(1)), 0)`,
  'WebGL textures': `const g = document.createElement('canvas').getContext('webgl'); window.t = []; const b = new Uint8Array(2048 * 2048 * 4).fill(3); setInterval(() => { const t = g.createTexture(); g.bindTexture(g.TEXTURE_2D, t); g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, 2048, 2048, 0, g.RGBA, g.UNSIGNED_BYTE, b); t.x = 1; window.t.push(t); g.finish() }, 5)`,
  workers: `setInterval(() => new Worker(URL.createObjectURL(new Blob(['const a = []; setInterval(() => a.push(new Uint8Array(5e7).fill(1)), 0)']))), 50)`,
  canvases: `const a = []; setInterval(() => { const c = document.createElement('canvas'); c.width = c.height = 4096; const x = c.getContext('2d'); x.fillRect(0, 0, 4096, 4096); x.getImageData(0, 0, 1, 1); a.push(c) }, 5)`,
  'cache storage': `caches.open('x').then(async (c) => { for (let i = 0; ; i++) await c.put('/c' + i, new Response(new Uint8Array(3e7).fill(i))) })`,
  frames: `setInterval(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>window.a = new Uint8Array(3e7).fill(1)<\\/script>'; document.body.append(f) }, 5)`,
  strings: `const a = []; let n = 0; setInterval(() => { for (let i = 0; i < 20; i++) a.push(JSON.stringify(Array.from({ length: 50000 }, () => n++))) }, 0)`,
  blobs: `const a = []; setInterval(() => a.push(new Blob([new Uint8Array(5e7).fill(1)])), 0)`,
  elements: `setInterval(() => document.body.insertAdjacentHTML('beforeend', '<i class=a><b>x</b></i>'.repeat(40000)), 0)`,
  'WebAssembly memory': `const a = []; setInterval(() => { const m = new WebAssembly.Memory({ initial: 1000 }); new Uint8Array(m.buffer).fill(1); a.push(m) }, 0)`,
  'image bitmaps': `window.im = []; setInterval(() => { const c = new OffscreenCanvas(5000, 5000); c.getContext('2d').fillRect(0, 0, 9, 9); createImageBitmap(c).then((b) => im.push(b)) }, 5)`,
  messages: `const ch = new MessageChannel(); setInterval(() => ch.port1.postMessage(new Uint8Array(5e7).fill(2)), 0)`,
  objects: `const a = []; setInterval(() => { for (let i = 0; i < 500000; i++) a.push({ i, s: 'x' + i }) }, 0)`,
  'data addresses': `window.k = []; setInterval(() => { const i = new Image(); i.src = 'data:image/png;base64,' + 'A'.repeat(2e7); k.push(i.src) }, 0)`,
  'a frame of another site': `const f = document.createElement('iframe'); f.src = 'http://localhost:' + location.port + '/memory?name=typed+arrays'; document.body.append(f)`,
}

/** Vectors that may stay below the bounds: Chromium applies a quota, or frees the memory in time. */
export const boundedByChromium = new Set(['cache storage', 'data addresses'])
