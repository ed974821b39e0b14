import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // The content security policy allows no data in place of a script, a style or a font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: {
      '/v2': { target: service, ws: true },
      '/live': { target: service, ws: true },
      '/health': service,
      '/files': service,
    },
  },
})
