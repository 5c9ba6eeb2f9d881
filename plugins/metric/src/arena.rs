//! The allocator: a small arena in the memory an instance starts with, then
//! the standard one.
//!
//! Growing a WebAssembly memory makes the host change page protections, once
//! to grow and once to undo it for the next instance, and both contend for
//! the address-space lock that all cores share. A small case never grows.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;

#[global_allocator]
static ALLOCATOR: Arena = Arena {
    next: UnsafeCell::new(0),
    bytes: Bytes(UnsafeCell::new([0; SIZE])),
};

/// Enough for a few pages of text. Untouched parts cost nothing.
const SIZE: usize = 16 * 1024 - 16;

/// On pages of its own (of the host, 4 KiB): a page that holds data of the
/// module as well would be copied for every instance that writes to it.
#[repr(C, align(4096))]
struct Arena {
    /// Offset of the first free byte; on the same page as the first blocks.
    next: UnsafeCell<usize>,
    bytes: Bytes,
}

#[repr(C, align(16))]
struct Bytes(UnsafeCell<[u8; SIZE]>);

// SAFETY: a WebAssembly module without the threads feature has one thread.
unsafe impl Sync for Arena {}

impl Arena {
    fn base(&self) -> *mut u8 {
        self.bytes.0.get().cast()
    }

    /// The offset of `pointer`, if it lies in the arena.
    fn offset(&self, pointer: *mut u8) -> Option<usize> {
        let offset = (pointer as usize).wrapping_sub(self.base() as usize);
        (offset < SIZE).then_some(offset)
    }
}

// SAFETY: blocks are disjoint because `next` only moves past what was handed
// out, and back only over the last block when that one is freed; everything
// outside the arena is the standard allocator's, told apart by its address.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and no reference to the offset is kept.
        let next = unsafe { &mut *self.next.get() };
        let address = self.base() as usize + *next;
        let start = *next + (address.next_multiple_of(layout.align()) - address);
        if start < SIZE && layout.size() <= SIZE - start {
            *next = start + layout.size();
            // SAFETY: `start` is inside the arena.
            return unsafe { self.base().add(start) };
        }
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some(offset) = self.offset(pointer) else {
            // SAFETY: outside the arena, so `System` handed it out.
            return unsafe { System.dealloc(pointer, layout) };
        };
        // SAFETY: one thread, and no reference to the offset is kept.
        let next = unsafe { &mut *self.next.get() };
        if offset + layout.size() == *next {
            *next = offset;
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(offset) = self.offset(pointer) else {
            // SAFETY: outside the arena, so `System` handed it out.
            return unsafe { System.realloc(pointer, layout, size) };
        };
        // SAFETY: one thread, and no reference to the offset is kept.
        let next = unsafe { &mut *self.next.get() };
        if offset + layout.size() == *next && size <= SIZE - offset {
            *next = offset + size;
            return pointer;
        }
        if size <= layout.size() {
            return pointer;
        }
        // SAFETY: the caller promises that `size` is valid for this alignment.
        let grown = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: `size` exceeds the old size, so it isn't zero.
        let moved = unsafe { self.alloc(grown) };
        if !moved.is_null() {
            // SAFETY: both blocks hold at least the old size and are disjoint.
            unsafe { std::ptr::copy_nonoverlapping(pointer, moved, layout.size()) };
        }
        moved
    }
}
