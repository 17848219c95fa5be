import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const port = process.env['PORT'] ?? '3000'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true },
  server: { port: 5173, proxy: { '/api': `http://localhost:${port}` } },
})
