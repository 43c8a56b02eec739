export { renderFirstSight } from '#web/app/first-sight.tsx';
export { renderLanding } from './render-landing.tsx';
