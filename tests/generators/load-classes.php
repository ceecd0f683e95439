<?php
// Loads each class of lib: this finds what parsing alone does not, such as a constant that is declared twice.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $message, string $file, int $line): never {
    fwrite(STDERR, "$file:$line: $message\n");
    exit(1);
});
spl_autoload_register(function (string $name): void {
    $file = 'lib/' . strtr(preg_replace('/^OpenAPI\\\\Client\\\\/', '', $name), '\\', '/') . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('lib', FilesystemIterator::SKIP_DOTS)) as $file) {
    require_once $file;
}
