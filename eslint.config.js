import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { fences } from './eslint.fences.js';

export default tseslint.config(
  {
    ignores: [
      ...['dist', 'node_modules', '.pitwall', 'runs', 'screenshots', 'test-results', 'playwright-report'],
      // Built, and what a user of the packages would write.
      ...['packages/out', 'packages/consumers'],
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.{core,browser,node,test}.json', 'research*/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-properties': [
        'error',
        {
          property: 'innerHTML',
          message: 'Strings from outside reach the page only as text: use textContent.',
        },
        {
          property: 'outerHTML',
          message: 'Strings from outside reach the page only as text: use textContent.',
        },
        { property: 'insertAdjacentHTML', message: 'Strings from outside reach the page only as text.' },
      ],
    },
  },
  {
    files: ['**/*.{ts,js,mjs}'],
    plugins: { pitwall: { rules: { fences } } },
    rules: {
      'pitwall/fences': 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      complexity: ['error', 12],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    // What comes from outside may be a million characters of one kind: no pattern takes more than linear time on it.
    files: ['**/*.{ts,js,mjs}'],
    ignores: ['**/*.{test,testing,spec}.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignorePartial: false }],
    },
  },
  {
    // A test file is one describe callback; its length is the number of its cases.
    files: ['**/*.test.ts', 'e2e/**/*.spec.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': ['error', { max: 400, skipBlankLines: true }] },
  },
);
