<?php

declare(strict_types=1);

namespace Payframe;

use Payframe\Exception\PayframeException;

/**
 * Ids as parts of a path. It does not know the paths.
 *
 * @internal
 */
final class Path
{
    /** An id percent-encoded. @param string $name of the id, for the message */
    public static function segment(string $id, string $name): string
    {
        return rawurlencode(self::checkedId($id, $name));
    }

    public static function checkedId(string $id, string $name): string
    {
        // URL parsers take "." and ".." for steps of the path, however they are encoded.
        if (\in_array($id, ['', '.', '..'], true) || preg_match('//u', $id) !== 1) {
            throw PayframeException::refusedValue($name, 'must be an id: a text that is not empty, "." or ".."');
        }
        return $id;
    }

    /** A path, if it can be the part of an address behind `/api`. */
    public static function checked(string $path): string
    {
        if (!preg_match('~^/[!-\~]*$~D', $path) || preg_match('~[?#\\\\]|/(\.|%2e){1,2}(/|$)~iD', $path)) {
            throw PayframeException::refusedValue(
                'path',
                'must begin with a slash, without a query: it is the part of the address behind /api',
            );
        }
        return $path;
    }
}
